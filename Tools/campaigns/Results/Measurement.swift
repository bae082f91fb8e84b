import Loam

/// The model that the observers show.
@Model final class Measurement {
    #Index<Measurement>([\.value], [\.station, \.value])
    var id: Int
    var name: String
    var station: String?
    var value: Int

    init(id: Int, name: String, station: String?, value: Int) {
        (self.id, self.name, self.station, self.value) = (id, name, station, value)
    }
}
